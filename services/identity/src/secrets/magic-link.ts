import { hmacSha256, type SecretRing } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import {
  type ProposedSecret,
  proposeSecret,
  readSecret,
  type SecretNeeds,
  useEverySecret,
} from "./secrets.ts";

/** The content of a link, which is stored sealed. */
export interface MagicLink {
  /** In lower case. */
  email: string;
  /** The name of a user who signs up. */
  name: string;
  /** The hash of the value that identifies the requesting browser. */
  browser: string;
}

/** Names the address of a link in the table, under each secret. A reader of the table learns no address. */
export const linkSubjects = (ring: SecretRing, email: string): string[] =>
  ring.derive("magic link address").map((key) => hmacSha256(key, email, "base64url"));

/** Creates a link without storing or mailing it. */
export const proposeMagicLink = (
  deps: SecretNeeds & Pick<Deps, "logger">,
  link: MagicLink,
): Promise<ProposedSecret> =>
  proposeSecret(deps, "magicLink", {
    holder: linkSubjects(deps.ring, link.email)[0] ?? "",
    content: JSON.stringify(link),
    lifetimeSeconds: deps.config.magicLink.expiresIn,
  });

/** Returns the content of a valid link. */
export const readMagicLink = async (
  deps: Pick<Deps, "clock" | "config" | "db" | "ring">,
  token: string,
): Promise<MagicLink | undefined> => {
  const link = await readSecret(deps, "magicLink", { token });
  return link && (JSON.parse(link.content) as MagicLink);
};

/**
 * Uses up a link in the transaction of what it opens, and with it every other link of the address. Returns true for exactly one of
 * several concurrent calls.
 */
export const useMagicLink = async (
  deps: Pick<Deps, "clock" | "config" | "ring">,
  trx: Kysely<Tables>,
  { token, email }: { token: string; email: string },
): Promise<boolean> => {
  const holder = linkSubjects(deps.ring, email);
  return (await useEverySecret(deps, trx, { name: "magicLink", token, holder })) !== undefined;
};
