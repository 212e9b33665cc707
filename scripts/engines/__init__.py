"""Contacts of other engines in Drystone's scenes."""
