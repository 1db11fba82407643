export const captcha = {
  title: "Confirm that you are human",
  failed:
    "The captcha could not be loaded. Check your connection, turn off content blockers for this page, and try again.",
};
