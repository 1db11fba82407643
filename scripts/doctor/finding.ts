/** What one check says. `remedy` tells what to do, where something is to be done. */
export interface Finding {
  check: string;
  status: "ok" | "warn" | "fail";
  detail: string;
  remedy?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, status: "ok", detail });

export const warn = (check: string, detail: string, remedy: string): Finding => ({
  check,
  status: "warn",
  detail,
  remedy,
});

export const fail = (check: string, detail: string, remedy: string): Finding => ({
  check,
  status: "fail",
  detail,
  remedy,
});
