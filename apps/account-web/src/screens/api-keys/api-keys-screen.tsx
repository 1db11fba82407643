import { Screen } from "../../components/account/screen.tsx";
import { ApiKeys } from "../../components/api-keys/api-keys.tsx";
import { useTranslation } from "../../languages.ts";

/** The API keys of the user. */
export const APIKeysScreen = () => {
  const t = useTranslation("apiKeys");
  return (
    <Screen title={t("title")} lead={t("lead")}>
      <ApiKeys title={t("list")} />
    </Screen>
  );
};
