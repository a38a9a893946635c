// Written by scripts/config-page.mjs from the schema of the config: change the schema, then run it again.

/** What one executor allows, and where it starts servers. */
export interface ExecutorInput {
  /** Whether stdio servers may be used. Default true. */
  readonly allow_stdio?: boolean | undefined;
  /** Whether servers written as http may be used. Default true. */
  readonly allow_http?: boolean | undefined;
  /** Whether sse servers may be used. Default true. */
  readonly allow_sse?: boolean | undefined;
  /** Whether servers written as `streamable_http` may be used. Default true. */
  readonly allow_streamable_http?: boolean | undefined;
  /** Whether ws servers may be used. Default true. */
  readonly allow_ws?: boolean | undefined;
  /** Whether a stdio server may be shared through the hub. Default: true for local, false elsewhere. */
  readonly stdio_proxy?: boolean | undefined;
  /** Host, or host:port, and what to put in its place. */
  readonly http_url_rewrite?: Readonly<Record<string, string>> | undefined;
  /** Variables every server gets. */
  readonly env_injection?: Readonly<Record<string, string>> | undefined;
  /** Injected variables that a server may set otherwise. */
  readonly env_server_wins?: readonly string[] | undefined;
  /**
   * Home directory of the agents there, as this machine sees it, such as a mounted volume. mcp export
   * writes below it.
   */
  readonly home?: string | undefined;
  /**
   * true: programs start on the machine of the hub. Where an executor but local has neither this nor
   * docker, ssh, sandbox or k8s, none starts.
   */
  readonly local?: boolean | undefined;
  /** Servers are started in a container, by the docker program. */
  readonly docker?:
    | {
        /** The Docker daemon, such as ssh://user@machine or tcp://machine:2376. Default: that of this machine. */
        readonly host?: string | undefined;
        /** A context of the docker program, in place of host. */
        readonly context?: string | undefined;
        /** A running container: servers are started inside it. */
        readonly container?: string | undefined;
        /** An image: each server gets a container of it, which is removed when the server ends. */
        readonly image?: string | undefined;
        /** Network of those containers, such as container:NAME to join that of another one. */
        readonly network?: string | undefined;
        /** User inside the container. Default: that of the image. */
        readonly user?: string | undefined;
        /** Folder inside the container in which servers start. Default: that of the image. */
        readonly cwd?: string | undefined;
        /** Volumes of those containers, as docker run -v takes them. */
        readonly volumes?: readonly string[] | undefined;
        /**
         * Address of the machine with the daemon at which ports of servers are published. Default 127.0.0.1
         * where that is this machine.
         */
        readonly publish?: string | undefined;
        /** Memory that a server may use, in MiB. Default 2048; 0: no limit. */
        readonly memory_mb?: number | undefined;
        /** Processors that a server may use, such as 0.5. Default 1; 0: no limit. */
        readonly cpus?: number | undefined;
        /** Linux capabilities that a server keeps, such as `NET_BIND_SERVICE`. Default: none. */
        readonly capabilities?: readonly string[] | undefined;
        /** true: programs may gain privileges, as sudo does. Default false. */
        readonly new_privileges?: boolean | undefined;
        /** Which system calls a server may use: default, those that the runtime allows, or unconfined, all. */
        readonly seccomp?: 'default' | 'unconfined' | undefined;
        /** true: the file system of the image is read-only, but for /tmp. Default false. */
        readonly read_only?: boolean | undefined;
        /** Processes that a server may have at a time. Default 512; 0: no limit. */
        readonly pids?: number | undefined;
      }
    | undefined;
  /** Servers are started on another machine, by the ssh program. */
  readonly ssh?:
    | {
        /** The machine, or a Host of your ssh config. */
        readonly host: string;
        /** User there. Default: what your ssh config says. */
        readonly user?: string | undefined;
        /** Port there. Default: what your ssh config says, else 22. */
        readonly port?: number | undefined;
        /** Private key to sign in with. Nobody is asked for a password. */
        readonly identity_file?: string | undefined;
        /** Read in place of your own ssh config. */
        readonly config_file?: string | undefined;
        /** Further options, as ssh -o takes them. */
        readonly options?: readonly string[] | undefined;
        /** Folder there in which servers start. Default: the home directory. */
        readonly cwd?: string | undefined;
      }
    | undefined;
  /** Servers are confined on this machine, by bubblewrap. The executor named sandbox always does that. */
  readonly sandbox?:
    | {
        /** Folders that servers may read, beside the system and their own: ~ is the home directory. */
        readonly readable?: readonly string[] | undefined;
        /** Folders that servers may write, beside the one they start in. */
        readonly writable?: readonly string[] | undefined;
        /** Whether servers have the network of this machine. Default false. */
        readonly network?: boolean | undefined;
        /**
         * Whether each server keeps a ~/.cache of its own between starts, for npx, uvx and pip. Default: what
         * network says.
         */
        readonly cache?: boolean | undefined;
        /** Processes that a server may have at a time. Default 1024; 0: no limit. */
        readonly pids?: number | undefined;
        /**
         * Which system calls a server may use: default, without those that change the system or make
         * namespaces, or unconfined, all.
         */
        readonly seccomp?: 'default' | 'unconfined' | undefined;
      }
    | undefined;
  /** Servers are started in a cluster, and Services there are reached, by the kubectl program. */
  readonly k8s?:
    | {
        /** A context of your kubeconfig. Default: the current one. */
        readonly context?: string | undefined;
        /** Read in place of your own kubeconfig. */
        readonly kubeconfig?: string | undefined;
        /** Namespace of the pods, and of Services that are named without one. Default: that of the context. */
        readonly namespace?: string | undefined;
        /** A running pod, such as that of the agent: servers are started inside it. */
        readonly pod?: string | undefined;
        /** Container of that pod, such as a sidecar. Default: its first one. */
        readonly container?: string | undefined;
        /** An image: each server gets a pod of it, which is deleted when the server ends. */
        readonly image?: string | undefined;
        /** Service account of those pods. Default: they get no credentials of the cluster. */
        readonly service_account?: string | undefined;
        /** Folder in which servers start. Default: that of the image. */
        readonly cwd?: string | undefined;
        /** Memory that a server may use, in MiB. Default 2048; 0: no limit. */
        readonly memory_mb?: number | undefined;
        /** Processors that a server may use, such as 0.5. Default 1; 0: no limit. */
        readonly cpus?: number | undefined;
        /** Linux capabilities that a server keeps, such as `NET_BIND_SERVICE`. Default: none. */
        readonly capabilities?: readonly string[] | undefined;
        /** true: programs may gain privileges, as sudo does. Default false. */
        readonly new_privileges?: boolean | undefined;
        /** Which system calls a server may use: default, those that the runtime allows, or unconfined, all. */
        readonly seccomp?: 'default' | 'unconfined' | undefined;
        /** true: the file system of the image is read-only, but for /tmp. Default false. */
        readonly read_only?: boolean | undefined;
        /** Number of the user that servers run as. Default: the user of the image. */
        readonly user?: number | undefined;
      }
    | undefined;
}
