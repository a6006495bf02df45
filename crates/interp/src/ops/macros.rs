//! Shorthand inside handlers. Not exported: handlers of other files import what they need by these names.
