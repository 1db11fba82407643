import { Badge, type BadgeTone } from "@latchkey/ui/components/badge.tsx";
import type { Option } from "./fitting-options.ts";

export const sourceLabels = {
  default: "Default",
  file: "File",
  environment: "Environment",
} satisfies Record<Option["source"], string>;

const tones: Record<Option["source"], BadgeTone> = {
  default: "neutral",
  file: "accent",
  environment: "success",
};

export const OptionSource = ({ source }: Pick<Option, "source">) => (
  <Badge tone={tones[source]}>{sourceLabels[source]}</Badge>
);
