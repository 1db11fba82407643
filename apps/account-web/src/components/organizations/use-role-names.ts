import { useTranslation } from "../../languages.ts";

/** Returns a function that names roles, which are separated by commas, in the language that is shown. Configured roles keep their names. */
export const useRoleNames = (): ((roles: string) => string) => {
  const t = useTranslation("organizations");
  const nameOf = (role: string): string => {
    if (role === "owner" || role === "admin" || role === "member") return t(`roles.${role}`);
    return role;
  };
  return (roles) => roles.split(",").map(nameOf).join(", ");
};
