"""opcheck's own runtime, read: what `opcheck_runtime.op` and its companions declare."""
