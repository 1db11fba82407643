import { numberText } from "@latchkey/ui/components/number-text.ts";
import { t } from "../../texts.ts";

const exactMax = 10_000;
/** Formats a count of an organization. The server counts up to 10,001, which means more than ten thousand. */
export const countText = (count: number): string =>
  count > exactMax ? t("organization.over", { count: exactMax }) : numberText(count);
