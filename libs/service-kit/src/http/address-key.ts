import { canonicalAddress } from "./canonical-address.ts";

/**
 * Returns the key of an address in limits. IPv6 counts by /64, the smallest network that a customer gets. Otherwise a single client could
 * use a new address for each request. Unknown addresses share one key, so that hiding the address does not bypass a limit.
 */
export function addressKey(address: string | undefined): string {
  const canonical = address === undefined ? undefined : canonicalAddress(address);
  if (canonical === undefined) return "unknown";
  return canonical.includes(":") ? `${networkOf(canonical)}::/64` : canonical;
}

/** The first four groups without trailing zero groups, which the `::` after them stands for. */
function networkOf(address: string): string {
  const [head = "", tail = ""] = address.split("::");
  const leading = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const rightCount = right.length + (tail.includes(".") ? 1 : 0);
  const skipped = Array.from({ length: 8 - leading.length - rightCount }, () => "0");
  const groups = [...leading, ...skipped, ...right].slice(0, 4);
  while (groups.at(-1) === "0") groups.pop();
  return groups.join(":");
}
