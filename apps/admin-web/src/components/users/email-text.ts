import { looksLikeEmail } from "@latchkey/ui/components/email-rule.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";

export const emailFault = "Enter an email such as name@example.com.";

/** The rule of a field for an email. */
export const emailText = z.string().trim().refine(looksLikeEmail, emailFault);
