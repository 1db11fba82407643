import { oneOf, searchOf, textThat } from "../../components/search-param.ts";
import { isPlace } from "../../routes/place-of.ts";

export const signInSearch = searchOf({
  /** Why this page is shown instead of the requested one. */
  reason: oneOf("ended", "demoted", "signed-out"),
  /** The target after sign-in: a path of the admin web, never another site. */
  redirect: textThat((text) => text.length <= 2048 && isPlace(text)),
});
