import { Badge } from "@latchkey/ui/components/badge.tsx";
import { splitRoles } from "./split-roles.ts";

const chief: ReadonlySet<string> = new Set(["owner", "admin"]);

export const RoleBadges = ({ role }: { role: string }) => (
  <span className="flex gap-1 overflow-hidden">
    {splitRoles(role).map((name) => (
      <Badge key={name} tone={chief.has(name) ? "accent" : "neutral"}>
        <bdi className="max-w-32 truncate">{name}</bdi>
      </Badge>
    ))}
  </span>
);
