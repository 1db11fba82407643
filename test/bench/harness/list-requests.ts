import { createSecretRing, signValue } from "@latchkey/crypto";
import { writeCursor } from "@latchkey/service-kit/lists";
import type { Person } from "./seed-users.ts";
import { tokenOf } from "./seed.ts";
import { benchSecret } from "./stack-settings.ts";

export type ListQuery = Readonly<Record<string, string>>;

const ring = createSecretRing([benchSecret]);
const cookie = `auth.session_token=${signValue(ring, tokenOf(1))}`;

/** Returns a request for a list by the seeded staff member. */
export const staffRequest = (path: string, query: ListQuery): Buffer => {
  const lines = [
    `GET /api/auth${path}?${new URLSearchParams(query).toString()} HTTP/1.1`,
    "host: localhost",
    "user-agent: bench",
    `cookie: ${cookie}`,
  ];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`);
};

/** Returns the cursor after a user in the default order, as if earlier pages had been read. */
export const cursorAfter = ({ id, createdAt }: Person): string =>
  writeCursor({ by: "createdAt", direction: "asc" }, { key: new Date(createdAt), id });
