import { common } from "./common.ts";
import { errors } from "./errors.ts";
import { invitation } from "./invitation.ts";
import { links } from "./links.ts";
import { password } from "./password.ts";
import { secondFactor } from "./second-factor.ts";
import { signIn } from "./sign-in.ts";
import { signUp } from "./sign-up.ts";

/** The messages of the pages for signed-out users, by namespace. */
export const messages = {
  common,
  errors,
  invitation,
  links,
  password,
  secondFactor,
  signIn,
  signUp,
};
