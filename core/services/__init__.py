"""What pages and the command line call: one module per step, a frozen `Workspace` first."""
