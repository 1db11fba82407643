/** A column that holds sealed values. */
interface SealedColumn {
  /** Owns the table. Also the name of its schema. */
  readonly service: "apikey" | "identity" | "mailer" | "oauth" | "organization" | "webhooks";
  readonly table: string;
  /** The primary key. */
  readonly key: string;
  readonly column: string;
  /** The column whose value is bound to the sealed value. */
  readonly subject?: string;
  /** The column that holds the name of the secret that sealed the value. */
  readonly sealedBy?: string;
  /** Imported databases sealed these values in a format of their own, with the same secret. */
  readonly isLegacy?: boolean;
  /** An option lets the column hold clear values, some of which may look sealed. */
  readonly mayBeClear?: boolean;
}

/** The places of the sealed values of a purpose, so that a rotation of the secret finds all of them. */
interface SealedValue {
  readonly columns: readonly SealedColumn[];
  /** Why values outside of the columns need no pass. */
  readonly elsewhere?: string;
}

type More = Omit<Partial<SealedColumn>, "column" | "service" | "table">;

const inIdentity = (table: string, column: string, more: More = {}): SealedColumn => ({
  service: "identity",
  table,
  key: "id",
  column,
  ...more,
});
const verification = [inIdentity("verification", "sealed")];
const ofUser = { key: "user_id", subject: "user_id" };
const outboxOf = (service: SealedColumn["service"]): SealedColumn => ({
  service,
  table: "outbox",
  key: "id",
  column: "data",
});
const ofEndpoint = (column: string): SealedColumn => ({
  service: "webhooks",
  table: "endpoint",
  key: "id",
  subject: "id",
  column,
});

/**
 * Every purpose for which a value is sealed, and where the values are. `seal` accepts no other purpose, and a test compares the columns
 * with the tables. After a change of the secret, a pass over these columns seals their values again.
 */
const sealedValues = {
  "authenticator app": {
    columns: [
      inIdentity("two_factor", "secret_sealed", { ...ofUser, sealedBy: "sealed_by" }),
      inIdentity("two_factor", "pending_sealed", ofUser),
    ],
  },
  "backup code": {
    columns: [
      inIdentity("backup_code", "code_sealed", { subject: "user_id", sealedBy: "sealed_by" }),
    ],
  },
  "device request": {
    columns: [],
    elsewhere: "in rows of devices that wait for their users, at most for half an hour",
  },
  event: {
    columns: [
      outboxOf("identity"),
      outboxOf("organization"),
      outboxOf("apikey"),
      outboxOf("mailer"),
      outboxOf("webhooks"),
      outboxOf("oauth"),
    ],
    elsewhere: "the bus holds copies for moments",
  },
  "impersonation link": { columns: verification },
  "installation export digest": { columns: [], elsewhere: "in files that need their own secret" },
  "installation export probe": { columns: [], elsewhere: "in files that need their own secret" },
  "invited address": { columns: [], elsewhere: "in mailed links, which older secrets open" },
  "magic link": { columns: verification },
  "mail content": {
    columns: [{ service: "mailer", table: "delivery", key: "id", column: "content_sealed" }],
  },
  "mailed code content": { columns: [inIdentity("mailed_code", "sealed")] },
  "oauth proxy response": { columns: [], elsewhere: "in URLs, by a secret of their own" },
  "oauth proxy state": { columns: [], elsewhere: "in URLs, by a secret of their own" },
  "one-time token": { columns: verification },
  "pending sign-up": { columns: verification },
  "provider token": {
    columns: [
      inIdentity("account", "access_token", { mayBeClear: true }),
      inIdentity("account", "refresh_token", { mayBeClear: true }),
      inIdentity("account", "id_token", { mayBeClear: true }),
    ],
  },
  "refresh answer": {
    columns: [],
    elsewhere: "in rows of refresh tokens for 30 seconds; afterwards a client retries in vain",
  },
  "session handle": { columns: [], elsewhere: "in replies, which a client requests again" },
  "session token": {
    columns: [inIdentity("session", "token_sealed")],
    elsewhere: "identity seals those of sessions in Redis",
  },
  "sign-in state": { columns: verification },
  "oauth signing key": {
    columns: [
      {
        service: "oauth",
        table: "signing_key",
        key: "id",
        subject: "id",
        column: "private_key_sealed",
      },
    ],
  },
  "signing key": { columns: [inIdentity("signing_key", "private_key", { isLegacy: true })] },
  "undo of an address": { columns: verification },
  "webhook secret": {
    columns: [ofEndpoint("secret_sealed"), ofEndpoint("former_secret_sealed")],
  },
} as const satisfies Record<string, SealedValue>;

/** The use of a sealed value. */
export type SealPurpose = keyof typeof sealedValues;

/** A column with the purposes of its values. */
export interface SealedPlace extends SealedColumn {
  readonly purposes: readonly SealPurpose[];
}

/** Returns the columns of a service, each once. */
export const sealedPlacesOf = (service: string): SealedPlace[] => {
  const places = new Map<string, SealedPlace>();
  for (const [purpose, { columns }] of Object.entries<SealedValue>(sealedValues))
    for (const column of columns.filter((one) => one.service === service)) {
      const name = `${column.table}.${column.column}`;
      const purposes = [...(places.get(name)?.purposes ?? []), purpose as SealPurpose]; // a key of the table
      places.set(name, { ...column, purposes });
    }
  return [...places.values()];
};
