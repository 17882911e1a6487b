"""The rules of review: the form, the order, blinding, what is missing, signed image links. No input or output."""
