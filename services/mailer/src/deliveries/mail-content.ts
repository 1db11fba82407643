import { seal, type SecretRing, unseal } from "@latchkey/crypto";
import type { Mail } from "../templates/mail.ts";

const purpose = "mail content";

/** What a mail says besides its subject, as it rests in its row. */
export const sealContent = (ring: SecretRing, { subject: _, ...content }: Mail): string =>
  seal(ring, purpose, JSON.stringify(content));

/** What a mail says besides its subject; undefined where it was sealed under a secret that is gone. */
export const openContent = (
  ring: SecretRing,
  contentSealed: string,
): Omit<Mail, "subject"> | undefined => {
  const content = unseal(ring, purpose, contentSealed);
  return content === undefined ? undefined : (JSON.parse(content) as Omit<Mail, "subject">);
};
