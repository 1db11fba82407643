import { searchOf, textThat } from "../../components/search-param.ts";
import { isDay } from "@latchkey/ui/components/day-range.ts";

const day = textThat(isDay);

/** The period of the metrics, by default the last 30 days. */
export const homeSearch = searchOf({ from: day, to: day });
