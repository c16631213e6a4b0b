"""Where ops are used: calls and references, what is evident of a call's arguments, and whether it can be tracked."""
