import { ApiError } from "@latchkey/ui/api/api-error.ts";
import { call } from "@latchkey/ui/api/call.ts";
import { operations } from "@latchkey/ui/api/contracts.ts";
import { buttonStyle } from "@latchkey/ui/components/button-style.ts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { CardPage } from "../../components/card-page.tsx";
import { useTranslation } from "../../languages.ts";
import { ScreenError } from "../../shell/screen-error.tsx";
import { Splash } from "../../shell/splash.tsx";
import { ChoosePassword } from "./choose-password.tsx";

const { checkPasswordReset, resetPassword } = operations.identity;

const route = getRouteApi("/reset-password");

/** Keeps the token of the link in memory, and removes it from the address and the history. */
const useLinkToken = (): string | undefined => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [token] = useState(search.token);
  const hide = useEffectEvent(() =>
    navigate({ search: (shown) => ({ ...shown, token: undefined }), replace: true }),
  );
  const isShown = search.token !== undefined;
  useEffect(() => {
    if (isShown) void hide();
  }, [isShown]);
  return token;
};

const LinkFailed = () => {
  const t = useTranslation("password");
  const { redirect_to } = route.useSearch();
  return (
    <CardPage outcome="failed" title={t("linkFailed.title")} lead={t("linkFailed.text")}>
      <Link to="/forgot-password" search={{ redirect_to }} className={buttonStyle("primary")}>
        {t("linkFailed.again")}
      </Link>
    </CardPage>
  );
};

/** Sets a new password by the token of a mailed link. */
const ResetByLink = ({ token }: { token: string }) => {
  const [isSpent, setIsSpent] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["password reset", token],
    queryFn: ({ signal }) => call(checkPasswordReset, { body: { token } }, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
  if (isSpent || (error instanceof ApiError && error.code === "INVALID_TOKEN"))
    return <LinkFailed />;
  if (error) return <ScreenError error={error} reset={() => void refetch()} />;
  if (!data) return <Splash />;
  return (
    <ChoosePassword
      ends={data.ends}
      save={(newPassword) => call(resetPassword, { body: { newPassword, token } })}
      onEnded={() => setIsSpent(true)}
    />
  );
};

/** The page of a mailed link. */
export const ResetPasswordScreen = () => {
  const { error } = route.useSearch();
  const token = useLinkToken();
  return error !== undefined || token === undefined ? (
    <LinkFailed />
  ) : (
    <ResetByLink token={token} />
  );
};
