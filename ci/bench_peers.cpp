// bench_peers: int8 functions of XNNPACK and oneDNN on the operands of lastbit bench's rows, beside
// lastbit's own times. Usage: bench_peers LASTBIT [ROW...]. Built and run by ci/bench-peers; not
// part of the build or the tests.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <cpuinfo.h>
#include <mli_api.h>
#include <mli_lastbit.h>
#include <oneapi/dnnl/dnnl.hpp>
#include <time.h>
#include <xnnpack.h>

namespace
{

struct Row {
    const char *name;
    int height, width, depth, kernel, channels, stride, pad;
    bool depthwise;
};

const Row conv_rows[] = {
    {"conv1x1_s8_28x256", 28, 28, 256, 1, 256, 1, 0, false},
    {"conv1x1_s8_7x1024", 7, 7, 1024, 1, 1024, 1, 0, false},
    {"conv3x3_s8_28x64", 28, 28, 64, 3, 64, 1, 1, false},
    {"conv3x3s2_s8_224x3", 224, 224, 3, 3, 32, 2, 1, false},
    {"dw3x3_s8_56x128", 56, 56, 128, 3, 128, 1, 1, true},
};

double thread_seconds()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

using Call = std::function<void()>;

// Seconds of a call in a run of at least 10 ms, after one call that warms up.
double run_time(const Call &call)
{
    double seconds = 0;
    long calls = 1;
    call();
    for (;; calls *= 2) {
        const double start = thread_seconds();
        for (long i = 0; i < calls; i++)
            call();
        seconds = thread_seconds() - start;
        if (seconds >= 0.01)
            return seconds / double(calls);
    }
}

double median(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

double least(const std::vector<double> &times)
{
    return *std::min_element(times.begin(), times.end());
}

std::vector<int8_t> random_bytes(size_t n)
{
    std::mt19937 random(1);
    std::vector<int8_t> bytes(n + 64);
    for (auto &b : bytes)
        b = int8_t(random());
    return bytes;
}

void require(bool good, const char *what)
{
    if (good)
        return;
    std::fprintf(stderr, "bench_peers: %s failed\n", what);
    std::exit(3);
}

std::string output_of(const std::string &command)
{
    FILE *in = popen(command.c_str(), "r");
    require(in != nullptr, command.c_str());
    std::string text;
    char part[1024];
    while (std::fgets(part, sizeof part, in))
        text += part;
    require(pclose(in) == 0, command.c_str());
    return text;
}

std::string level; // of lastbit; empty: the best, not yet known

// The best level comes last in what "lastbit bench" tells of a row.
const std::string &level_of(const std::string &lastbit)
{
    if (level.empty()) {
        const std::string text =
            output_of("'" + lastbit + "' bench --json --runs 1 --run-time 0 add_s8_64k");
        const size_t at = text.rfind("\"cpu\":\"");
        require(at != std::string::npos, "lastbit bench");
        level = text.substr(at + 7, text.find('"', at + 7) - at - 7);
    }
    return level;
}

// lastbit's own time of a row at its level, from "lastbit bench --json".
double own_time(const std::string &lastbit, const char *row)
{
    const std::string command =
        "'" + lastbit + "' bench --json --runs 1 --cpu " + level_of(lastbit) + " " + row;
    const std::string text = output_of(command);
    const size_t at = text.find("\"seconds\":");
    require(at != std::string::npos, "lastbit bench");
    return std::strtod(text.c_str() + at + 10, nullptr);
}

struct Peer {
    const char *name;
    Call call;
};

// Times lastbit and its peers in turns, eleven rounds, and tells the medians, their ratios, and
// those of the least times, which are of the machine undisturbed. A ratio above 1: lastbit is
// faster. own: seconds of one call.
void compete(const std::function<double()> &own, const std::string &row,
             const std::vector<Peer> &peers)
{
    enum { ROUNDS = 11 };
    std::vector<double> ours;
    std::vector<std::vector<double>> theirs(peers.size());
    for (int round = 0; round < ROUNDS; round++) {
        ours.push_back(own());
        for (size_t p = 0; p < peers.size(); p++)
            theirs[p].push_back(run_time(peers[p].call));
    }
    for (size_t p = 0; p < peers.size(); p++) {
        const double seconds = median(theirs[p]);
        std::printf("%-29s %9.2f us   %-34s %9.2f us   %5.2f x   %5.2f x\n", row.c_str(),
                    median(ours) * 1e6, peers[p].name, seconds * 1e6, seconds / median(ours),
                    least(theirs[p]) / least(ours));
    }
    std::fflush(stdout);
}

void compete(const std::string &lastbit, const char *row, const std::vector<Peer> &peers)
{
    compete([&] { return own_time(lastbit, row); }, row, peers);
}

mli_tensor tensor_of(mli_element_type type, void *data, size_t bytes, const std::vector<int> &shape)
{
    mli_tensor t{};
    int32_t stride = 1;
    t.rank = uint32_t(shape.size());
    for (size_t d = shape.size(); d-- > 0;) {
        t.shape[d] = uint32_t(shape[d]);
        t.mem_stride[d] = stride;
        stride *= shape[d];
    }
    t.el_type = type;
    t.data.mem.pi8 = static_cast<int8_t *>(data);
    t.data.capacity = uint32_t(bytes);
    t.el_params.sa.dim = -1;
    t.el_params.sa.scale.mem.i16 = 16384;
    return t;
}

// lastbit with weights packed before the call, in this process. Empty: the level packs none.
Call prepared_call(const std::string &lastbit, const Row &r, std::vector<int8_t> &in,
                   std::vector<int8_t> &weights, std::vector<int32_t> &bias,
                   std::vector<int8_t> &out)
{
    struct Operands {
        mli_tensor in, weights, bias, out;
        mli_conv2d_cfg cfg;
        std::vector<char> packed;
    };
    const auto o = std::make_shared<Operands>();
    const int out_h = (r.height + 2 * r.pad - r.kernel) / r.stride + 1;
    const int out_w = (r.width + 2 * r.pad - r.kernel) / r.stride + 1;
    const uint8_t stride = uint8_t(r.stride), pad = uint8_t(r.pad);
    o->in = tensor_of(MLI_EL_SA_8, in.data(), in.size(), {r.height, r.width, r.depth});
    o->weights = tensor_of(MLI_EL_SA_8, weights.data(), weights.size(),
                           {r.kernel, r.kernel, r.depth, r.channels});
    o->bias = tensor_of(MLI_EL_SA_32, bias.data(), 4 * bias.size(), {r.channels});
    o->out = tensor_of(MLI_EL_SA_8, out.data(), out.size(), {out_h, out_w, r.channels});
    o->in.el_params.sa.zero_point.mem.i16 = 5;
    o->out.el_params.sa.zero_point.mem.i16 = -3;
    o->in.el_params.sa.scale_frac_bits.mem.i8 = o->weights.el_params.sa.scale_frac_bits.mem.i8 = 21;
    o->bias.el_params.sa.scale_frac_bits.mem.i8 = 28;
    o->out.el_params.sa.scale_frac_bits.mem.i8 = 14;
    o->cfg = {{MLI_RELU_NONE}, stride, stride, pad, pad, pad, pad, 1, 1};
    require(mli_ext_set_cpu(level_of(lastbit).c_str()) == MLI_STATUS_OK, "mli_ext_set_cpu");
    uint32_t bytes = 0;
    if (mli_ext_prepare_conv2d(&o->in, &o->weights, &o->cfg, nullptr, &bytes) != MLI_STATUS_OK)
        return {};
    o->packed.resize(bytes);
    require(mli_ext_prepare_conv2d(&o->in, &o->weights, &o->cfg, o->packed.data(), &bytes) ==
                MLI_STATUS_OK,
            "mli_ext_prepare_conv2d");
    return [o] {
        require(mli_ext_conv2d_prepared(&o->in, &o->weights, &o->bias, &o->cfg, &o->out,
                                        o->packed.data()) == MLI_STATUS_OK,
                "mli_ext_conv2d_prepared");
    };
}

// XNNPACK asks cpuinfo what the processor has, and takes no limit itself: it is told of a processor
// without AVX-512. oneDNN reads its limit from the environment (ci/bench-peers).
void limit_xnnpack()
{
    require(cpuinfo_initialize(), "cpuinfo_initialize");
#if CPUINFO_ARCH_X86_64
    if (level != "avx2" && level != "avxvnni")
        return;
    cpuinfo_isa.avx512f = cpuinfo_isa.avx512cd = cpuinfo_isa.avx512dq = false;
    cpuinfo_isa.avx512bw = cpuinfo_isa.avx512vl = cpuinfo_isa.avx512vbmi = false;
    cpuinfo_isa.avx512vnni = false;
#endif
}

// XNNPACK packs weights when an operator is made: its times are those of prepacked weights.
Call xnnpack_call(xnn_operator_t op)
{
    const std::shared_ptr<xnn_operator> kept(
        op, [](xnn_operator_t o) { xnn_delete_operator(o); });
    return [kept] {
        require(xnn_run_operator(kept.get(), nullptr) == xnn_status_success, "xnn_run_operator");
    };
}

Call xnnpack_conv(const Row &r, const int8_t *in, const int8_t *weights, const int32_t *bias,
                  int8_t *out)
{
    const uint32_t pad = uint32_t(r.pad), kernel = uint32_t(r.kernel), stride = uint32_t(r.stride);
    const size_t depth = size_t(r.depth), channels = size_t(r.channels);
    xnn_operator_t op = nullptr;
    require(xnn_create_convolution2d_nhwc_qs8(
                pad, pad, pad, pad, kernel, kernel, stride, stride, 1, 1,
                r.depthwise ? uint32_t(channels) : 1, r.depthwise ? 1 : depth,
                r.depthwise ? 1 : channels, depth, channels, 5, 0.0078125f, 0.0078125f, weights,
                bias, -3, 0.25f, -128, 127, r.depthwise ? XNN_FLAG_DEPTHWISE_CONVOLUTION : 0,
                &op) == xnn_status_success,
            "xnn_create_convolution2d");
    require(xnn_setup_convolution2d_nhwc_qs8(op, 1, size_t(r.height), size_t(r.width), in, out,
                                             nullptr) == xnn_status_success,
            "xnn_setup_convolution2d");
    return xnnpack_call(op);
}

using dnnl::memory;

// oneDNN with an input zero point. plain: weights come as HWIO and are reordered in every call.
Call onednn_conv(const Row &r, std::vector<int8_t> &in, std::vector<int8_t> &weights,
                 std::vector<int32_t> &bias, std::vector<int8_t> &out, bool plain)
{
    dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    dnnl::stream stream(engine);
    const memory::dim out_h = (r.height + 2 * r.pad - r.kernel) / r.stride + 1;
    const memory::dim out_w = (r.width + 2 * r.pad - r.kernel) / r.stride + 1;
    const memory::dims w_dims = r.depthwise ? memory::dims{r.channels, 1, 1, r.kernel, r.kernel}
                                            : memory::dims{r.channels, r.depth, r.kernel, r.kernel};
    const auto given = r.depthwise ? memory::format_tag::hwigo : memory::format_tag::hwio;
    const memory::desc src({1, r.depth, r.height, r.width}, memory::data_type::s8,
                           memory::format_tag::nhwc);
    const memory::desc dst({1, r.channels, out_h, out_w}, memory::data_type::s8,
                           memory::format_tag::nhwc);
    const memory::desc any(w_dims, memory::data_type::s8, memory::format_tag::any);
    const memory::desc bias_desc({r.channels}, memory::data_type::s32, memory::format_tag::x);
    dnnl::primitive_attr attr;
    attr.set_output_scales(0, {0.000244140625f});
    attr.set_zero_points(DNNL_ARG_SRC, 0, {5});
    attr.set_zero_points(DNNL_ARG_DST, 0, {-3});
    const dnnl::convolution_forward::desc desc(
        dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, src, any,
        bias_desc, dst, {r.stride, r.stride}, {r.pad, r.pad}, {r.pad, r.pad});
    const dnnl::convolution_forward::primitive_desc pd(desc, attr, engine);
    const dnnl::convolution_forward conv(pd);
    memory as_given({w_dims, memory::data_type::s8, given}, engine, weights.data());
    memory packed(pd.weights_desc(), engine);
    dnnl::reorder reorder(as_given, packed);
    reorder.execute(stream, as_given, packed);
    memory src_memory(src, engine, in.data()), dst_memory(dst, engine, out.data());
    memory bias_memory(bias_desc, engine, bias.data());
    return [=]() mutable { // these objects are handles
        if (plain)
            reorder.execute(stream, as_given, packed);
        conv.execute(stream, {{DNNL_ARG_SRC, src_memory},
                              {DNNL_ARG_WEIGHTS, packed},
                              {DNNL_ARG_BIAS, bias_memory},
                              {DNNL_ARG_DST, dst_memory}});
        stream.wait();
    };
}

void bench_conv(const Row &r, const std::string &lastbit)
{
    auto in = random_bytes(size_t(r.height * r.width * r.depth));
    auto weights =
        random_bytes(size_t(r.kernel * r.kernel * r.channels) * size_t(r.depthwise ? 1 : r.depth));
    auto out = random_bytes(size_t(r.height * r.width * r.channels));
    std::vector<int32_t> bias(size_t(r.channels), 1000);
    const std::vector<Peer> prepacked = {
        {"XNNPACK, prepacked", xnnpack_conv(r, in.data(), weights.data(), bias.data(), out.data())},
        {"oneDNN, zero point, prepacked", onednn_conv(r, in, weights, bias, out, false)}};
    std::vector<Peer> all = prepacked;
    all.push_back(
        {"oneDNN, zero point, plain weights", onednn_conv(r, in, weights, bias, out, true)});
    compete(lastbit, r.name, all);
    if (r.depthwise)
        return;
    if (const Call prepared = prepared_call(lastbit, r, in, weights, bias, out))
        compete([&] { return run_time(prepared); }, std::string(r.name) + ", prepacked", prepacked);
}

void bench_fully_connected(const std::string &lastbit)
{
    const char *const name = "fc_s8_1024x1000";
    const auto in = random_bytes(1024), weights = random_bytes(1024 * 1000);
    auto out = random_bytes(1000);
    const std::vector<int32_t> bias(1000, 1000);
    xnn_operator_t op = nullptr;
    require(xnn_create_fully_connected_nc_qs8(1024, 1000, 1024, 1000, 5, 0.0078125f, 0.0078125f,
                                              weights.data(), bias.data(), -3, 0.25f, -128, 127, 0,
                                              &op) == xnn_status_success,
            "xnn_create_fully_connected");
    require(xnn_setup_fully_connected_nc_qs8(op, 1, in.data(), out.data(), nullptr) ==
                xnn_status_success,
            "xnn_setup_fully_connected");
    compete(lastbit, name, {{"XNNPACK, prepacked", xnnpack_call(op)}});
}

void bench_max_pool(const std::string &lastbit)
{
    const char *const name = "maxpool3x3s2_s8_112x64";
    const auto in = random_bytes(112 * 112 * 64);
    auto out = random_bytes(56 * 56 * 64);
    xnn_operator_t op = nullptr;
    require(xnn_create_max_pooling2d_nhwc_s8(1, 1, 1, 1, 3, 3, 2, 2, 1, 1, 64, 64, 64, -128, 127, 0,
                                             &op) == xnn_status_success,
            "xnn_create_max_pooling2d");
    require(xnn_setup_max_pooling2d_nhwc_s8(op, 1, 112, 112, in.data(), out.data(), nullptr) ==
                xnn_status_success,
            "xnn_setup_max_pooling2d");
    compete(lastbit, name, {{"XNNPACK", xnnpack_call(op)}});
}

void bench_add(const std::string &lastbit)
{
    const char *const name = "add_s8_64k";
    const size_t n = 65536;
    auto a = random_bytes(n), b = random_bytes(n), out = random_bytes(n);
    xnn_operator_t op = nullptr;
    require(xnn_create_add_nd_qs8(5, 0.0625f, 5, 0.0625f, 5, 0.0625f, -128, 127, 0, &op) ==
                xnn_status_success,
            "xnn_create_add_nd");
    require(xnn_setup_add_nd_qs8(op, 1, &n, 1, &n, a.data(), b.data(), out.data(), nullptr) ==
                xnn_status_success,
            "xnn_setup_add_nd");
    dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    dnnl::stream stream(engine);
    const memory::desc desc({1, memory::dim(n)}, memory::data_type::s8, memory::format_tag::ab);
    dnnl::primitive_attr attr;
    attr.set_scales(DNNL_ARG_SRC_0, 0, {0.5f});
    attr.set_scales(DNNL_ARG_SRC_1, 0, {0.5f});
    const dnnl::binary add({{dnnl::algorithm::binary_add, desc, desc, desc}, attr, engine});
    memory a_memory(desc, engine, a.data()), b_memory(desc, engine, b.data()),
        out_memory(desc, engine, out.data());
    const Call onednn_add = [&] {
        add.execute(
            stream,
            {{DNNL_ARG_SRC_0, a_memory}, {DNNL_ARG_SRC_1, b_memory}, {DNNL_ARG_DST, out_memory}});
        stream.wait();
    };
    compete(lastbit, name,
            {{"XNNPACK", xnnpack_call(op)}, {"oneDNN, scales, no zero points", onednn_add}});
}

void bench_sigmoid(const std::string &lastbit)
{
    const char *const name = "sigmoid_s8_64k";
    const auto in = random_bytes(65536);
    auto out = random_bytes(65536);
    xnn_operator_t op = nullptr;
    require(xnn_create_sigmoid_nc_qs8(65536, 65536, 65536, 5, 0.0625f, -128, 0.00390625f, -128, 127,
                                      0, &op) == xnn_status_success,
            "xnn_create_sigmoid");
    require(xnn_setup_sigmoid_nc_qs8(op, 1, in.data(), out.data(), nullptr) == xnn_status_success,
            "xnn_setup_sigmoid");
    compete(lastbit, name, {{"XNNPACK, table built before", xnnpack_call(op)}});
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "Usage: bench_peers LASTBIT [--cpu=LEVEL] [ROW...]\n");
        return 2;
    }
    const std::string lastbit = argv[1], option = "--cpu=";
    if (argc > 2 && std::string(argv[2]).rfind(option, 0) == 0) {
        level = argv[2] + option.size();
        argc--;
        argv++;
    }
    const auto wanted = [&](const char *name) {
        bool any = argc == 2;
        for (int i = 2; i < argc; i++)
            any = any || std::string(argv[i]) == name;
        return any;
    };
    limit_xnnpack();
    require(xnn_initialize(nullptr) == xnn_status_success, "xnn_initialize");
    std::printf("%-29s %12s   %-34s %12s   %7s   %7s\n", "row", "lastbit", "peer", "time", "ratio",
                "least");
    for (const Row &r : conv_rows)
        if (wanted(r.name))
            bench_conv(r, lastbit);
    if (wanted("fc_s8_1024x1000"))
        bench_fully_connected(lastbit);
    if (wanted("maxpool3x3s2_s8_112x64"))
        bench_max_pool(lastbit);
    if (wanted("add_s8_64k"))
        bench_add(lastbit);
    if (wanted("sigmoid_s8_64k"))
        bench_sigmoid(lastbit);
    return 0;
}
