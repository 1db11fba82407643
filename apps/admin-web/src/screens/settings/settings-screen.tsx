import { getRouteApi } from "@tanstack/react-router";
import { Page } from "../../components/page.tsx";
import { Tabs } from "../../components/ui/tabs.tsx";
import { OptionsTab } from "./options-tab.tsx";
import { RedirectsTab } from "./redirects-tab.tsx";

const route = getRouteApi("/shell/settings");

export const SettingsScreen = () => {
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page title="Settings">
      <Tabs
        label="Settings"
        value={tab ?? "options"}
        onChange={(chosen) =>
          void navigate({
            to: ".",
            search: { tab: chosen === "redirects" ? chosen : undefined },
            replace: true,
          })
        }
        tabs={[
          { value: "options", label: "Options", content: <OptionsTab /> },
          { value: "redirects", label: "Redirect tester", content: <RedirectsTab /> },
        ]}
      />
    </Page>
  );
};
