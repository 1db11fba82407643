const ordinaryHost = /^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:]+\])$/;

/**
 * Returns whether the host of a parsed URL is a name or an IPv6 address. URL parsers also accept hosts such as `evil.com;.example.org`, which
 * other parsers truncate, and `*`, which is a wildcard in a content security policy.
 */
export const isOrdinaryHost = (hostname: string): boolean => ordinaryHost.test(hostname);
