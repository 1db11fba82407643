import { operations } from "@latchkey/ui/api/contracts.ts";
import { isOffered } from "@latchkey/ui/api/offered.ts";
import { Link } from "@tanstack/react-router";
import {
  AppWindow,
  Building2,
  Database,
  History,
  House,
  KeyRound,
  MonitorSmartphone,
  ShieldCheck,
  User,
} from "lucide-react";
import { useTranslation } from "../../languages.ts";

const screens = [
  { to: "/", name: "overview", Icon: House, isThere: true },
  { to: "/profile", name: "profile", Icon: User, isThere: true },
  { to: "/security", name: "security", Icon: ShieldCheck, isThere: true },
  { to: "/sessions", name: "sessions", Icon: MonitorSmartphone, isThere: true },
  {
    to: "/applications",
    name: "applications",
    Icon: AppWindow,
    isThere: isOffered(operations.oauth.listOauthConsents),
  },
  { to: "/activity", name: "activity", Icon: History, isThere: true },
  {
    to: "/api-keys",
    name: "apiKeys",
    Icon: KeyRound,
    isThere: isOffered(operations.apikey.listApiKeys),
  },
  {
    to: "/organizations",
    name: "organizations",
    Icon: Building2,
    isThere: isOffered(operations.organization.listOrganizations),
  },
  { to: "/data", name: "data", Icon: Database, isThere: true },
] as const;

/** Links to the screens of the features that are on. */
export const Navigation = ({ onGo }: { onGo?: () => void }) => {
  const t = useTranslation("account");
  return (
    <nav aria-label={t("navigation")}>
      <ul className="flex flex-col gap-1">
        {screens
          .filter(({ isThere }) => isThere)
          .map(({ to, name, Icon }) => (
            <li key={to}>
              <Link
                to={to}
                activeOptions={{ exact: to === "/" }}
                onClick={() => onGo?.()}
                className="flex h-9 items-center gap-2.5 rounded-md px-3 font-medium text-muted transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-pressed aria-[current=page]:text-ink max-sm:h-11"
              >
                <Icon className="size-4 shrink-0" />
                {t(`screens.${name}`)}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
};
