using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "COMPATIBILITY_DATE",
      bindings = [(name = "PACER", durableObjectNamespace = "Pacer")],
      durableObjectNamespaces = [(className = "Pacer", uniqueKey = "pacer")],
      durableObjectStorage = (inMemory = void)
    )),
    (name = "internet", network = (allow = ["private"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
