import type { Translation } from "../../messages.ts";

export const page: Translation<"front", "page"> = {
  language: "语言",
  terms: "服务条款",
  privacy: "隐私政策",
  support: "客服",
  or: "或",
  back: "返回",
  cancel: "取消",
  retry: "重试",
  continue: "继续",
  goToApplication: "前往 {{name}}",
  loading: "正在加载",
  offline: "您已离线。恢复连接后，此页面将继续。",
  showPassword: "显示密码",
  hidePassword: "隐藏密码",
};
