"""Files of traffic that others recorded: HAR, and the flow files of mitmproxy."""
