import { expect, test } from "vitest";
import { isPrivateAddress } from "./private-address.ts";

test.each([
  "93.184.216.34",
  "1.1.1.1",
  "172.32.0.1",
  "100.128.0.1",
  "2606:4700:4700::1111",
  "2a00:1450:4001:82a::200e",
  "::ffff:93.184.216.34",
  "64:ff9b::5db8:d822",
])("accepts the public address %s", (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});

/** Each of these can reach services on our own machines and networks. */
test.each([
  ["loopback", "127.0.0.1"],
  ["any loopback", "127.255.255.254"],
  ["unspecified", "0.0.0.0"],
  ["this network", "0.1.2.3"],
  ["private", "10.0.0.1"],
  ["private", "172.16.0.1"],
  ["private", "172.31.255.255"],
  ["private", "192.168.1.1"],
  ["link-local, metadata of clouds", "169.254.169.254"],
  ["carrier-grade NAT", "100.64.0.1"],
  ["protocol assignments", "192.0.0.1"],
  ["benchmarking", "198.18.0.1"],
  ["documentation", "203.0.113.1"],
  ["multicast", "224.0.0.1"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["loopback", "::1"],
  ["unspecified", "::"],
  ["link-local", "fe80::1"],
  ["link-local with its zone", "fe80::1%eth0"],
  ["site-local", "fec0::1"],
  ["unique local", "fc00::1"],
  ["unique local, metadata of a cloud", "fd00:ec2::254"],
  ["multicast", "ff02::1"],
  ["documentation", "2001:db8::1"],
  ["discarded", "100::1"],
  ["never given out", "4000::1"],
  ["mapped loopback", "::ffff:127.0.0.1"],
  ["mapped private, in hexadecimal", "::ffff:a00:1"],
  ["IPv4-compatible loopback", "::7f00:1"],
  ["IPv4-compatible public", "::5db8:d822"],
  ["IPv4-translated loopback", "::ffff:0:7f00:1"],
  ["NAT64 of loopback", "64:ff9b::7f00:1"],
  ["NAT64 of metadata", "64:ff9b::a9fe:a9fe"],
  ["NAT64 with a local prefix", "64:ff9b:1::5db8:d822"],
  ["6to4 of loopback", "2002:7f00:1::"],
  ["6to4 of a public address", "2002:5db8:d822::1"],
  ["Teredo", "2001:0:5db8:d822::1"],
  ["no address", "example.com"],
  ["nothing", ""],
])("treats %s as private: %s", (_kind, address) => {
  expect(isPrivateAddress(address)).toBe(true);
});
