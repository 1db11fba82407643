import {
  hashToken,
  hmacSha256,
  randomToken,
  seal,
  type SecretRing,
  unseal,
} from "@latchkey/crypto";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { findVerification, insertVerification } from "../one-time-tokens/queries.ts";
import { consumeMagicLink, magicLinkPrefix } from "./queries.ts";

const tokenLength = 32;
const purpose = "magic link";

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

/** Links are always stored as hashes, whatever the options say: a reader of the table must not be able to sign in. */
const identifierOf = (token: string): string => magicLinkPrefix + hashToken(token).toString("hex");

export interface ProposedMagicLink {
  identifier: string;
  token: string;
  expiresAt: Date;
  /** Stores the link in the transaction that mails it. */
  keep: (trx: Kysely<Tables>) => Promise<void>;
}

export const proposeMagicLink = async (
  { clock, config, newId, ring }: Pick<Deps, "clock" | "config" | "newId" | "ring">,
  link: MagicLink,
): Promise<ProposedMagicLink> => {
  const now = new Date(clock());
  const token = randomToken(tokenLength, "letters");
  const identifier = identifierOf(token);
  const expiresAt = new Date(now.getTime() + config.magicLink.expiresIn * 1000);
  const [subject = ""] = linkSubjects(ring, link.email);
  const row = {
    id: await newId("verification"),
    identifier,
    value: subject,
    sealed: seal(ring, purpose, JSON.stringify(link)),
    expiresAt,
    createdAt: now,
    updatedAt: now,
  };
  return { identifier, token, expiresAt, keep: (trx) => insertVerification(trx, row) };
};

/** Returns the content of a valid link. */
export const readMagicLink = async (
  { clock, db, ring }: Pick<Deps, "clock" | "db" | "ring">,
  token: string,
): Promise<MagicLink | undefined> => {
  const sealed = await findVerification(db, identifierOf(token), new Date(clock()));
  const text = sealed === undefined ? undefined : unseal(ring, purpose, sealed);
  return text === undefined ? undefined : (JSON.parse(text) as MagicLink);
};

/**
 * Uses up a link in the transaction of what it opens, and with it every other link of the address. Returns true for exactly one of
 * several concurrent calls.
 */
export const useMagicLink = (
  { clock, ring }: Pick<Deps, "clock" | "ring">,
  trx: Kysely<Tables>,
  { token, email }: { token: string; email: string },
): Promise<boolean> =>
  consumeMagicLink(trx, {
    identifier: identifierOf(token),
    subjects: linkSubjects(ring, email),
    now: new Date(clock()),
  });
