import type { Translations } from "../../messages.ts";
import { common } from "./common.ts";
import { errors } from "./errors.ts";
import { invitation } from "./invitation.ts";
import { links } from "./links.ts";
import { password } from "./password.ts";
import { secondFactor } from "./second-factor.ts";
import { signIn } from "./sign-in.ts";
import { signUp } from "./sign-up.ts";

export const messages: Translations<"front"> = {
  common,
  errors,
  invitation,
  links,
  password,
  secondFactor,
  signIn,
  signUp,
};
