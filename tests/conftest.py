"""Makes the modules beside this file (fixtures) importable from every test."""
