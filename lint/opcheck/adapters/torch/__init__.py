"""PyTorch, read: what `torch.library` and its companions register, and which cells that fills."""
