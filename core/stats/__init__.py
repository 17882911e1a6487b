"""The only statistics: plain sequences in, a named result with n and interval out."""
