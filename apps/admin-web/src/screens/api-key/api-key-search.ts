import { oneOf, searchOf, textThat } from "../../components/search-param.ts";
import { isDay } from "@latchkey/ui/components/day-range.ts";

const day = textThat(isDay);

export const apiKeySearch = searchOf({
  tab: oneOf("usage", "json"),
  /** The days whose usage is shown, both inclusive. */
  from: day,
  to: day,
});
