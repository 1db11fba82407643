import { z } from "zod";

/** A kind of sign-in method that a claim of a user deletes. */
export const claimedMethod = z.enum([
  "password",
  "accounts",
  "passkeys",
  "secondFactor",
  "phoneNumber",
]);
export type ClaimedMethod = z.output<typeof claimedMethod>;

/** The confirmation that a mailed link shows before it acts. */
export const mailedLinkQuestionSchema = z.object({
  act: z.enum([
    "verify",
    "change",
    "change-elsewhere",
    "delete",
    "sign-in",
    "sign-in-elsewhere",
    "undo",
  ]),
  /** The address of the user, masked. */
  email: z.string(),
  /** The new address, masked. */
  newEmail: z.string().optional(),
  /** Whether confirming also signs the browser in. */
  signsIn: z.boolean().optional(),
  /** The sign-in methods that confirming deletes, because the address was not proven before. Absent if there are none. */
  ends: z.array(claimedMethod).optional(),
});
export type MailedLinkQuestion = z.output<typeof mailedLinkQuestionSchema>;

/** Header of a response without a body: the confirmation as base64url JSON, which the gateway renders as a page. */
export const mailedLinkHeader = "x-latchkey-mailed-link";
