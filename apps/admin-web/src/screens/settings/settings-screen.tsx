import { getRouteApi } from "@tanstack/react-router";
import { useAccess } from "../../access/use-access.ts";
import { Page } from "../../components/page.tsx";
import { Tabs } from "@latchkey/ui/components/tabs.tsx";
import { OptionsTab } from "./options-tab.tsx";
import { RateLimitsTab } from "./rate-limits-tab.tsx";
import { RedirectsTab } from "./redirects-tab.tsx";
import { settingsSearch } from "./settings-search.ts";

const route = getRouteApi("/shell/settings");

export const SettingsScreen = () => {
  const { tab } = route.useSearch();
  const { may } = useAccess();
  const navigate = route.useNavigate();
  const resetsLimits = may("rateLimit:reset");
  // An admin who may do neither sees the options' refusal.
  const tabs = [
    ...(may("settings:read") || !resetsLimits
      ? [
          { value: "options", label: "Options", content: <OptionsTab /> },
          { value: "redirects", label: "Redirect tester", content: <RedirectsTab /> },
        ]
      : []),
    ...(resetsLimits
      ? [{ value: "rate-limits", label: "Rate limits", content: <RateLimitsTab /> }]
      : []),
  ];
  return (
    <Page title="Settings">
      <Tabs
        label="Settings"
        value={(tabs.find(({ value }) => value === tab) ?? tabs[0])?.value ?? ""}
        onChange={(chosen) =>
          void navigate({
            to: ".",
            search: settingsSearch({ tab: chosen }),
            replace: true,
          })
        }
        tabs={tabs}
      />
    </Page>
  );
};
