import type { AuditSource } from "./audit-sources.ts";

/** Selects entries. An empty filter selects all of them. */
export interface AuditFilter {
  /** A part of the action, or a whole IP address or id. */
  readonly q?: string | undefined;
  /** The ids of users and organizations whose names match `q`. */
  readonly parties?: readonly string[] | undefined;
  readonly service?: AuditSource | undefined;
  readonly outcome?: "success" | "refused" | undefined;
  readonly actor?: string | readonly string[] | undefined;
  readonly subject?: string | readonly string[] | undefined;
  /** The IP address of the caller. */
  readonly address?: string | undefined;
  readonly request?: string | undefined;
  /** Times, or days in UTC. Both are included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** An IPv4 or IPv6 address. */
const address = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f]*:[\da-f:.]*)$/i;
/** A generated id. Actions contain neither digits nor capital letters. */
const id = /^(?=.*[A-Z\d])[\w-]{16,64}$/;

/** Returns whether the audit log finds a text as a whole IP address or id. */
export const isAddressOrId = (text: string): boolean => address.test(text) || id.test(text);

const namesOf = (text: string): readonly ("actor" | "address" | "request" | "subject")[] => {
  if (address.test(text)) return ["address"];
  return id.test(text) ? ["actor", "subject", "request"] : [];
};

/**
 * Returns filters of which an entry matches at least one. A search for an IP address or an id finds the entries that contain it. Any other
 * search is for a part of the action, in words or as its name, and for those who acted or were acted on.
 */
export const alternativesOf = ({ q = "", parties = [], ...filter }: AuditFilter): AuditFilter[] => {
  const text = q.trim();
  const names = namesOf(text);
  if (names.length === 0) {
    const sides = parties.length === 0 ? [] : (["actor", "subject"] as const);
    return [
      { ...filter, ...(text && { q: text.toLowerCase().replaceAll(/\s+/g, " ") }) },
      ...sides
        .filter((side) => filter[side] === undefined)
        .map((side) => Object.assign({}, filter, { [side]: parties })),
    ];
  }
  // Entries contain IP addresses in lower case.
  const value = address.test(text) ? text.toLowerCase() : text;
  return names
    .filter((name) => filter[name] === undefined || filter[name] === value)
    .map((name) => Object.assign({}, filter, { [name]: value }));
};
