using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "walk.js", esModule = embed "walk.js"),
    (name = "@bursar/client", esModule = embed "node_modules/@bursar/client/index.js"),
  ],
  bindings = [
    (name = "BURSAR_URL", fromEnvironment = "BURSAR_URL"),
    (name = "BURSAR_CUTTING_URL", fromEnvironment = "BURSAR_CUTTING_URL"),
    (name = "BURSAR_TOKEN", fromEnvironment = "BURSAR_TOKEN"),
  ],
  compatibilityDate = "2026-11-01",
);
