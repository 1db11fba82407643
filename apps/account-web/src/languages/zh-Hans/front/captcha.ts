import type { Translation } from "../../messages.ts";

export const captcha: Translation<"front", "captcha"> = {
  title: "请确认您是真人",
  failed: "无法加载验证码。请检查网络连接，关闭此页面的内容拦截器，然后重试。",
};
