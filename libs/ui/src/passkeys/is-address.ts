/** Whether the host of a URL is an IP address. Browsers write IPv4 in four numbers, and IPv6 in brackets. */
export const isAddress = (hostname: string): boolean =>
  hostname.startsWith("[") || /^\d+(?:\.\d+){3}$/.test(hostname);
