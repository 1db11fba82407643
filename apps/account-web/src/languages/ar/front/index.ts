import type { Translations } from "../../messages.ts";
import { captcha } from "./captcha.ts";
import { errors } from "./errors.ts";
import { invitation } from "./invitation.ts";
import { links } from "./links.ts";
import { page } from "./page.ts";
import { password } from "./password.ts";
import { secondFactor } from "./second-factor.ts";
import { signIn } from "./sign-in.ts";
import { signUp } from "./sign-up.ts";

export const messages: Translations<"front"> = {
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
