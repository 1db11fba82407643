import { Badge } from "@latchkey/ui/components/badge.tsx";
import { useNow } from "@latchkey/ui/components/use-now.ts";
import { keyState } from "./key-state.ts";
import type { ApiKey } from "./api-key.ts";

export const KeyStateBadge = ({ apiKey }: { apiKey: ApiKey }) => {
  const { label, tone } = keyState(apiKey, useNow());
  return <Badge tone={tone}>{label}</Badge>;
};
