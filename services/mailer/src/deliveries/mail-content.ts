import { seal, type SecretRing, unseal } from "@latchkey/crypto";
import type { Mail } from "../templates/mail.ts";

const purpose = "mail content";

/** The content of a mail other than its subject. */
export type MailContent = Omit<Mail, "subject">;

/** Encrypts the content of a mail for its row. */
export const sealContent = (ring: SecretRing, { subject: _, ...content }: Mail): string =>
  seal(ring, purpose, JSON.stringify(content));

/** Decrypts the content of a mail, or returns undefined if it is deleted or its secret is no longer configured. */
export const openContent = (ring: SecretRing, contentSealed: string): MailContent | undefined => {
  const content = unseal(ring, purpose, contentSealed);
  return content === undefined ? undefined : (JSON.parse(content) as MailContent);
};
