import { common } from "./common.ts";
import { errors } from "./errors.ts";
import { secondFactor } from "./second-factor.ts";
import { signIn } from "./sign-in.ts";

/** The messages of the pages for signed-out users, by namespace. */
export const messages = { common, errors, secondFactor, signIn };
