import { looksLikeEmail } from "@latchkey/ui/components/email-rule.ts";
import { z } from "@latchkey/ui/zod-without-eval.ts";
import { t } from "../../texts.ts";

export const emailFault = t("faults.email");

/** The rule of a field for an email. */
export const emailText = z.string().trim().refine(looksLikeEmail, emailFault);
