import { captcha } from "./captcha.ts";
import { errors } from "./errors.ts";
import { invitation } from "./invitation.ts";
import { links } from "./links.ts";
import { page } from "./page.ts";
import { password } from "./password.ts";
import { secondFactor } from "./second-factor.ts";
import { signIn } from "./sign-in.ts";
import { signUp } from "./sign-up.ts";

/** The messages of the pages for signed-out users, by namespace. */
export const messages = {
  captcha,
  errors,
  invitation,
  links,
  page,
  password,
  secondFactor,
  signIn,
  signUp,
};
