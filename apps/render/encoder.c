// SPDX-FileCopyrightText: 2026 The Sinew authors
// SPDX-License-Identifier: Apache-2.0

#define _POSIX_C_SOURCE 200809L // posix_spawn, fileno
#include "render/encoder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

struct Encoder {
    char* path;
    char* temporary;
    FILE* complaints; // what ffmpeg says
    int pipe;         // to ffmpeg; -1 = closed
    pid_t process;    // 0 = none
};

// Starts ffmpeg without a shell. It gets its own process group, so that Ctrl-C reaches us alone and
// the film can be finished.
static int startProcess(Encoder* e, char* const* arguments)
{
    int ends[2];
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    if (pipe(ends)) {
        return errno;
    }
    // ours must not be inherited, or ffmpeg would never see the end
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&files, ends[0]);
    posix_spawn_file_actions_adddup2(&files, fileno(e->complaints), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, fileno(e->complaints), STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int error = posix_spawnp(&e->process, arguments[0], &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    close(ends[0]);
    if (error) {
        close(ends[1]);
        e->process = 0;
        return error;
    }
    e->pipe = ends[1];
    return 0;
}

static snStatus startEncoder(Encoder* e, int32_t width, int32_t height, double fps, snMessage* why)
{
    char size[32], rate[32];
    // "file:" keeps a colon in the path from being read as a protocol
    size_t length = strlen(e->temporary) + 6;
    char* output = malloc(length);
    if (!output) {
        return failPicture(why, sn_errorMemory, "no memory to write '%s'", e->path);
    }
    snprintf(output, length, "file:%s", e->temporary);
    snprintf(size, sizeof size, "%dx%d", (int)width, (int)height);
    snprintf(rate, sizeof rate, "%.0f/1000", 1000 * fps);
    const char* const words[] = {"ffmpeg",
                                 "-loglevel",
                                 "error",
                                 "-y",
                                 "-f",
                                 "rawvideo",
                                 "-pix_fmt",
                                 "rgb24",
                                 "-s",
                                 size,
                                 "-framerate",
                                 rate,
                                 "-i",
                                 "pipe:0",
                                 "-vf",
                                 "scale=out_color_matrix=bt709:out_range=tv",
                                 "-c:v",
                                 "libx264",
                                 "-preset",
                                 "medium",
                                 "-crf",
                                 "20",
                                 "-pix_fmt",
                                 "yuv420p",
                                 "-colorspace",
                                 "bt709",
                                 "-color_primaries",
                                 "bt709",
                                 "-color_trc",
                                 "bt709",
                                 "-movflags",
                                 "+faststart",
                                 "-fflags",
                                 "+bitexact",
                                 "-f",
                                 "mp4",
                                 output,
                                 NULL};
    char* arguments[sizeof words / sizeof *words];
    memcpy(arguments, words, sizeof words); // posix_spawn takes them without const, and keeps them
    int error = startProcess(e, arguments);
    free(output);
    if (error) {
        return failPicture(why, sn_errorUnsupported,
                           "cannot write '%s': the program ffmpeg does not start (%s); install "
                           "ffmpeg, or write a .png",
                           e->path, strerror(error));
    }
    return sn_ok;
}

snStatus openEncoder(const char* path, int32_t width, int32_t height, double fps, Encoder** encoder,
                     snMessage* why)
{
    *encoder = NULL;
    Encoder* e = calloc(1, sizeof *e);
    if (!e) {
        return failPicture(why, sn_errorMemory, "no memory to write '%s'", path);
    }
    e->pipe = -1;
    e->path = malloc(strlen(path) + 1);
    e->temporary = temporaryName(path);
    e->complaints = tmpfile();
    snStatus status = sn_ok;
    if (!e->path || !e->temporary || !e->complaints) {
        status = failPicture(why, sn_errorMemory, "no memory to write '%s'", path);
    } else {
        memcpy(e->path, path, strlen(path) + 1);
        status = startEncoder(e, width, height, fps, why);
    }
    if (status) {
        abortEncoder(e);
        return status;
    }
    *encoder = e;
    return sn_ok;
}

// Sends all bytes; a reader that is gone is an error here, not the end of this program.
static bool sendAll(int pipe_end, const uint8_t* bytes, size_t count)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before);
    while (count > 0) {
        ssize_t sent = write(pipe_end, bytes, count);
        if (sent < 0 && errno != EINTR) {
            break;
        }
        size_t done = sent > 0 ? (size_t)sent : 0;
        bytes += done;
        count -= done;
    }
    sigaction(SIGPIPE, &before, NULL);
    return count == 0;
}

static int waitEncoder(Encoder* e)
{
    int result = 0;
    if (e->pipe >= 0) {
        close(e->pipe);
        e->pipe = -1;
    }
    while (e->process && waitpid(e->process, &result, 0) < 0 && errno == EINTR) {
    }
    e->process = 0;
    return result;
}

// What ffmpeg said, in the message.
static snStatus failEncoder(Encoder* e, snMessage* why)
{
    char text[400] = "";
    waitEncoder(e);
    rewind(e->complaints);
    size_t length = fread(text, 1, sizeof text - 1, e->complaints);
    text[length] = 0;
    for (size_t i = 0; i < length; ++i) {
        text[i] = (unsigned char)text[i] < 32 ? ' ' : text[i];
    }
    return failPicture(why, sn_errorIo, "cannot write '%s': ffmpeg failed: %s", e->path,
                       *text ? text : "without saying why");
}

snStatus encodeImage(Encoder* e, const Image* image, snMessage* why)
{
    size_t bytes = 3 * (size_t)image->width * (size_t)image->height;
    return sendAll(e->pipe, image->pixels, bytes) ? sn_ok : failEncoder(e, why);
}

snStatus closeEncoder(Encoder* e, snMessage* why)
{
    int result = waitEncoder(e);
    snStatus status = sn_ok;
    if (!WIFEXITED(result) || WEXITSTATUS(result) != 0) {
        status = failEncoder(e, why);
    } else if (rename(e->temporary, e->path)) {
        status = failPicture(why, sn_errorIo, "cannot write '%s': %s", e->path, strerror(errno));
    }
    abortEncoder(e);
    return status;
}

void abortEncoder(Encoder* e)
{
    if (!e) {
        return;
    }
    if (e->process) {
        kill(e->process, SIGTERM);
    }
    waitEncoder(e);
    if (e->temporary) {
        remove(e->temporary);
    }
    if (e->complaints) {
        fclose(e->complaints);
    }
    free(e->temporary);
    free(e->path);
    free(e);
}
