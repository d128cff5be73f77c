"""Exact solitaire values of dice boards, computed with the kernel's tools."""
