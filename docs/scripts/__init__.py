"""Programs that write what pages show: tables from the code, a cast and reports from the demo."""
