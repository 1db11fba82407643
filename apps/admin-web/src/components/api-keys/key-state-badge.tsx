import { Badge } from "../ui/badge.tsx";
import { useNow } from "../ui/use-now.ts";
import { keyState } from "./key-state.ts";
import type { ApiKey } from "./api-key.ts";

export const KeyStateBadge = ({ apiKey }: { apiKey: ApiKey }) => {
  const { label, tone } = keyState(apiKey, useNow());
  return <Badge tone={tone}>{label}</Badge>;
};
